"""What goes into the container image beside the program."""
