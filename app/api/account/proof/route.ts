import { giveProof } from '@/server/access/step-up'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/account/proof', { POST: giveProof })
