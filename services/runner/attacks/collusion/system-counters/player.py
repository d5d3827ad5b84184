import struct


class SimplePlayer(Receiver):
    def receive(self):
        buffer = ctypes.create_string_buffer(128)
        kernel(99, 179, buffer)
        count = struct.unpack_from("H", buffer, 80)[0]
        self.low = min(getattr(self, "low", count), count)
        return count >= self.low + 12
