import { askPasskey } from '@/server/access/passkeys'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/passkey-options', { POST: askPasskey })
