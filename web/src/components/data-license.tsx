import { useAppConfig } from '../lib/app-config.ts';

/** Names the license of the published data and links its text. */
export function DataLicense() {
  const { data_license: license } = useAppConfig();
  return (
    license && (
      <>
        License of the data: <a href={license.text}>{license.name}</a>.
      </>
    )
  );
}
