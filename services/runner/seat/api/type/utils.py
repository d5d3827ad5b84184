"""Names for message types, kept because bots may import them."""

from type.message import MessageType


def get_message_type_name(message_type: int) -> str:
    """The name of a message type's number, or "UNKNOWN"."""
    try:
        return MessageType(message_type).name
    except ValueError:
        return "UNKNOWN"
