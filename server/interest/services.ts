import type { SeasonBoard } from '@/lib/interest/board'
import type { InterestTable } from '@/lib/interest/interest-table'
import type { SchoolWork } from '@/lib/interest/school-work'
import { createTableCache } from '@/server/leads/table-cache'

declare module '@/server/base/services' {
  interface Services extends InterestServices {}
}

type InterestServices = ReturnType<typeof createInterestServices>
export type WorkBySchool = ReadonlyMap<string, SchoolWork>

export function createInterestServices() {
  return {
    interest: {
      tables: createTableCache<InterestTable>(16),
      boards: createTableCache<SeasonBoard>(64),
      work: createTableCache<WorkBySchool>(16),
    },
  }
}
