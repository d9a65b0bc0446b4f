import 'server-only'
import { createInterestCache } from './interest-cache'
import { createTopicFigures } from './topic-figures'

declare module '@/server/base/services' {
  interface Services extends InterestServices {}
}

type InterestServices = ReturnType<typeof createInterestServices>

export function createInterestServices() {
  return { interest: createInterestCache(), topicFigures: createTopicFigures() }
}
