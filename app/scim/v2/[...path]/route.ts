import { scimError, serveScim } from '@/server/directory/scim'
import { programRoutes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = programRoutes('/scim/v2', serveScim, scimError)
