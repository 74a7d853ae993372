"""How a message becomes rows, grows, and what stands around it."""
