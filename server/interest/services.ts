import { createInterestCaches } from './interest-numbers'

declare module '@/server/base/services' {
  interface Services extends InterestServices {}
}

type InterestServices = ReturnType<typeof createInterestServices>

export function createInterestServices() {
  return { interest: createInterestCaches() }
}
