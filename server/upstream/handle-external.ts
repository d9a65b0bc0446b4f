import 'server-only'
import { services } from '@/server/services'

/** Demo mode only: the external service at this origin. Connected, there is no such thing here. */
export async function handleExternal(request: Request): Promise<Response> {
  const { demo } = services()
  return demo ? demo.handle(request) : Response.json({ error: 'Not Found' }, { status: 404 })
}
