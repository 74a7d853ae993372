"""The rows of a message: how it becomes rows, grows, and the parts that stand around it."""
