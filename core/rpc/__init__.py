"""gRPC servers and clients as all processes of Hamle build them."""
