"""The composer: the text being written, what it will be sent to, and Send or Stop. Never imports a controller."""
