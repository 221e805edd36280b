/* Several cards, of which there is one: peers, bus ids, choosing, other processes' memory. */
#include "sandbox/runtime/runtime.h"

#include "sandbox/runtime/host/fault.h"

#include <stdio.h>
#include <string.h>

/* memory.c */
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind,
                            cudaStream_t stream);

enum { BUS_ID_BYTES = 13, PCI_DOMAIN = 0, PCI_BUS = 1, PCI_DEVICE = 0, PEER_ATTRIBUTES = 5 };

API cudaError_t cudaDeviceCanAccessPeer(int *can, int number, int peer) {
    if (!can)
        return remember(cudaErrorInvalidValue);
    *can = 0;
    return remember(number == 0 && peer == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

/* A device is no peer of itself. */
API cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
    return remember(flags       ? cudaErrorInvalidValue
                    : peer == 0 ? cudaErrorPeerAccessUnsupported
                                : cudaErrorInvalidDevice);
}

API cudaError_t cudaDeviceDisablePeerAccess(int peer) {
    return remember(peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice);
}

API cudaError_t cudaDeviceGetP2PAttribute(int *value, int attribute, int number, int peer) {
    (void)number, (void)peer;
    return remember(!value || attribute < 1 || attribute > PEER_ATTRIBUTES
                        ? cudaErrorInvalidValue
                        : cudaErrorInvalidDevice);
}

/* Atomic operations of devices on each other's memory, or on the host's: over PCI Express, where
 * properties.hostNativeAtomicSupported is 0, none is native. */
API cudaError_t cudaDeviceGetHostAtomicCapabilities(unsigned *abilities, const int *operations,
                                                    unsigned count, int number) {
    if (number != 0)
        return remember(cudaErrorInvalidDevice);
    if (!abilities || !operations || !count)
        return remember(cudaErrorInvalidValue);
    memset(abilities, 0, count * sizeof *abilities);
    return cudaSuccess;
}

API cudaError_t cudaDeviceGetP2PAtomicCapabilities(unsigned *abilities, const int *operations,
                                                   unsigned count, int from, int to) {
    (void)from, (void)to;
    return remember(!abilities || !operations || !count ? cudaErrorInvalidValue
                                                        : cudaErrorInvalidDevice);
}

API cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                    size_t bytes, cudaStream_t stream) {
    if (to_device != 0 || from_device != 0)
        return remember(cudaErrorInvalidDevice);
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream);
}

API cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device,
                               size_t bytes) {
    return cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, NULL);
}

/* ---- bus ids ----------------------------------------------------------------------------------
 */

API cudaError_t cudaDeviceGetPCIBusId(char *text, int room, int number) {
    if (number != 0)
        return remember(cudaErrorInvalidDevice);
    if (!text || room < BUS_ID_BYTES)
        return remember(cudaErrorInvalidValue);
    snprintf(text, (size_t)room, "%04x:%02x:%02x.0", PCI_DOMAIN, PCI_BUS, PCI_DEVICE);
    return cudaSuccess;
}

/* "domain:bus:device.function", "domain:bus:device" or "bus:device.function". */
API cudaError_t cudaDeviceGetByPCIBusId(int *number, const char *text) {
    unsigned domain = 0, bus, device, function = 0;
    if (!number || !text)
        return remember(cudaErrorInvalidValue);
    bool is_id = sscanf(text, "%x:%x:%x.%x", &domain, &bus, &device, &function) >= 3;
    if (!is_id) {
        domain = 0;
        is_id = sscanf(text, "%x:%x.%x", &bus, &device, &function) == 3;
    }
    if (!is_id)
        return remember(cudaErrorInvalidValue);
    if (domain != PCI_DOMAIN || bus != PCI_BUS || device != PCI_DEVICE || function)
        return remember(cudaErrorInvalidDevice);
    *number = 0;
    return cudaSuccess;
}

/* ---- choosing ---------------------------------------------------------------------------------
 */

API cudaError_t cudaChooseDevice(int *number, const struct cudaDeviceProp *properties) {
    if (!number || !properties)
        return remember(cudaErrorInvalidValue);
    *number = 0;
    return cudaSuccess;
}

API cudaError_t cudaSetValidDevices(const int *numbers, int count) {
    if (count < 0 || (count && !numbers))
        return remember(cudaErrorInvalidValue);
    for (int i = 0; i < count; i++)
        if (numbers[i] != 0)
            return remember(cudaErrorInvalidDevice);
    return cudaSuccess;
}

/* ---- other processes: a jail has none ---------------------------------------------------------
 */

struct ipc_handle {
    char bytes[64];
};

API cudaError_t cudaIpcGetMemHandle(struct ipc_handle *handle, void *memory) {
    return remember(handle && is_device_address(memory) ? cudaErrorNotSupported
                                                        : cudaErrorInvalidValue);
}

API cudaError_t cudaIpcOpenMemHandle(void **memory, struct ipc_handle handle, unsigned flags) {
    (void)handle, (void)flags;
    return remember(memory ? cudaErrorNotSupported : cudaErrorInvalidValue);
}

API cudaError_t cudaIpcCloseMemHandle(void *memory) {
    return remember(memory ? cudaErrorNotSupported : cudaErrorInvalidValue);
}

API cudaError_t cudaIpcGetEventHandle(struct ipc_handle *handle, cudaEvent_t event) {
    return remember(handle && event ? cudaErrorNotSupported : cudaErrorInvalidValue);
}

API cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, struct ipc_handle handle) {
    (void)handle;
    return remember(event ? cudaErrorNotSupported : cudaErrorInvalidValue);
}

/* ---- the driver -------------------------------------------------------------------------------
 */

static char not_found[64];

const char *driver_function_not_found(void) {
    return not_found;
}

/* There is none, and so none of its functions: the result says so. A program that calls it
 * nevertheless jumps to address 0, and fault.c names it. */
API cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function,
                                                 unsigned version, unsigned long long flags,
                                                 int *result) {
    enum { NOT_FOUND = 1, MOST_FLAGS = 2 };
    (void)version;
    if (!name || !function || flags > MOST_FLAGS)
        return remember(cudaErrorInvalidValue);
    *function = NULL;
    snprintf(not_found, sizeof not_found, "%s", name);
    if (!result)
        return remember(cudaErrorSymbolNotFound);
    *result = NOT_FOUND;
    return cudaSuccess;
}

API cudaError_t cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long flags,
                                        int *result) {
    return cudaGetDriverEntryPointByVersion(name, function, RUNTIME_VERSION, flags, result);
}
