import 'server-only'
import { createHash, timingSafeEqual } from 'node:crypto'
import { currentViewer } from '@/server/access/viewer'
import { services } from '@/server/services'

/** Prometheus text for whoever holds METRICS_TOKEN, or an administrator. */
export async function serveMetrics(request: Request): Promise<Response> {
  const { env, metrics: registry } = services()
  const [, token] = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  const allowed = token !== undefined ? isToken(token, env.metricsToken) : await isAdmin()
  const headers = { 'cache-control': 'no-store' }
  if (!allowed) return Response.json({ error: 'Unauthenticated' }, { status: 401, headers })
  return new Response(await registry.metrics(), { headers: { ...headers, 'content-type': registry.contentType } })
}

/** Hashed first, so that neither length nor content shows in the time it takes. */
function isToken(given: string, expected: string | null): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return expected !== null && timingSafeEqual(hash(given), hash(expected))
}

async function isAdmin(): Promise<boolean> {
  const viewer = await currentViewer().catch(() => null)
  return viewer?.permissions.has('admin') ?? false
}
