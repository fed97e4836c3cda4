"""What the processes of one installation know of each other, kept in the store."""
