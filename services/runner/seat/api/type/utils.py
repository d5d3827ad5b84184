"""Names for message types, kept because bots may import them."""

from type.message import MessageType

MESSAGE_TYPE_MAPPING = {
    kind.value: "Time Stamp" if kind is MessageType.TIME_STAMPT else kind.name.replace("_", " ").title() for kind in MessageType
}
"""The name in words of each message type's number, such as 4: "Request Player Action"."""


def get_message_type_name(message_type: int) -> str:
    """The name of a message type's number; raises ValueError for an unknown one."""
    if message_type not in MESSAGE_TYPE_MAPPING:
        raise ValueError(f"no message type has the number {message_type}")
    return MESSAGE_TYPE_MAPPING[message_type]
