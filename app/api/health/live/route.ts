import { live } from '@/server/operations/readiness'

export * from '@/server/http/other-methods'

export const dynamic = 'force-dynamic'
export const GET = () => live()
