import 'server-only'
import { createDemoService } from '@/reference-service/demo'

/** The single edge to the reference service, which serves the demo in this process. */
export type DemoService = ReturnType<typeof createDemoService>
export { createDemoService }
