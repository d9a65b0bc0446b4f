import 'server-only'
import type { Env } from '@/server/env'

/** Where an invitation is answered. Behind the # the token reaches neither a server's log nor a Referer header. */
export function inviteUrl({ auth }: Pick<Env, 'auth'>, token: string): string {
  return `${auth.url}/invite#${token}`
}
