import { getServices } from '@/server/base/services'
import { serveDemo } from '@/server/feed/demo-service'

const serve = (request: Request) => serveDemo(getServices(), request)

export { serve as DELETE, serve as GET, serve as HEAD, serve as OPTIONS, serve as PATCH, serve as POST, serve as PUT }
