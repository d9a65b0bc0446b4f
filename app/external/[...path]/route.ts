import { handleExternal } from '@/server/upstream/handle-external'

export const GET = handleExternal
export const HEAD = handleExternal
export const POST = handleExternal
export const PUT = handleExternal
export const PATCH = handleExternal
export const DELETE = handleExternal
export const OPTIONS = handleExternal
