"""The scroll area that places rows, paints them and moves their pixels."""
