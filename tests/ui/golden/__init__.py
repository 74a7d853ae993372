"""Pictures of the window's parts and of whole windows, which a test compares with what is drawn now."""
