// Loaded in a hidden frame of our own pages: posts Keycloak's response, which is in the URL, to the parent page.
if (window.parent !== window) window.parent.postMessage(window.location.href, window.location.origin);
