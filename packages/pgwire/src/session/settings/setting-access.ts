/** Which party may change a setting: the client, the configuration of the server (`server`, `restart`), superusers; `fixed` never changes. */
export type SettingAccess = 'client' | 'fixed' | 'server' | 'restart' | 'superuser'
