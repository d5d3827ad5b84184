/** SPDX id of the license of published data, unless the platform has another. The source code has its own. */
export const DEFAULT_DATA_LICENSE = 'CC-BY-4.0';

/** Returns the license of data for a manifest. `id`: of the SPDX license list. */
export const licenseOf = (id: string): { readonly name: string; readonly text: string } => ({
  name: id,
  text: `https://spdx.org/licenses/${id}.html`,
});
