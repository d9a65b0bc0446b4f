import 'server-only'
import { randomBytes } from 'node:crypto'
import { createExportLog, createExportScopes } from '@/server/export/export-log'
import { createInterestNumbers } from '@/server/interest/numbers'
import { openTestDesk } from '@/server/leads/testing/test-desk'
import { testServices } from '@/server/testing/services'

export async function openRightsDesk() {
  const desk = await openTestDesk()
  const { connect, now, activity, seal } = desk.parts
  const key = randomBytes(32)
  const parts = testServices({
    ...desk.parts,
    exportLog: createExportLog({ connect, now, activity, seal }),
    exportScopes: createExportScopes({ current: key, previous: null }),
    dataKeys: { current: key, previous: null },
    interest: createInterestNumbers(),
    logger: { error: () => {} },
  })
  return { ...desk, parts }
}
