import { processLifecycle } from './lifecycle'

declare module '@/server/base/services' {
  interface Services extends ReturnType<typeof createHttpServices> {}
}

export function createHttpServices() {
  return { lifecycle: processLifecycle() }
}
