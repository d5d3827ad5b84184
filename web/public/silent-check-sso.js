// Shown in a hidden frame of our own pages only: hands Keycloak's answer, which lies in the address, to the page around it.
if (window.parent !== window) window.parent.postMessage(window.location.href, window.location.origin);
