import { apiQuery } from '@/lib/api/call'

const STALE_MS = 5 * 60_000

export const topicsQuery = { ...apiQuery('GET /api/settings'), staleTime: STALE_MS }
