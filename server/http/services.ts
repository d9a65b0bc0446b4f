import { processLifecycle } from './lifecycle'
import { createStreamSlots } from './stream-events'

declare module '@/server/base/services' {
  interface Services extends ReturnType<typeof createHttpServices> {}
}

export function createHttpServices() {
  return { lifecycle: processLifecycle(), streamSlots: createStreamSlots() }
}
