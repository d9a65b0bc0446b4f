import { onlineManager, QueryClient } from '@tanstack/react-query'
import { expect, onTestFinished, test, vi } from 'vitest'
import { send } from '@/lib/api/send'
import { questionItem } from '@/lib/leads/testing/leads'
import { readOwnChanges } from './own-changes'
import { createTriage } from './triage'
import type { Translate } from './triage-notices'

async function setServerTime(date: string): Promise<void> {
  vi.stubGlobal('fetch', async () => Response.json({}, { headers: { date } }))
  await send('/api/x', {})
}

test('an attempt is shown at the time of the server, because the browser’s clock may be wrong', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T08:00:00Z') })
  onlineManager.setOnline(false)
  onTestFinished(async () => {
    await setServerTime('Fri, 20 Nov 2026 08:00:00 GMT')
    onlineManager.setOnline(true)
    vi.useRealTimers()
  })
  await setServerTime('Fri, 20 Nov 2026 07:50:00 GMT')
  const client = new QueryClient()
  const triage = createTriage(client, ((key: string) => key) as unknown as Translate, 'sv')
  const attempt = { channel: 'phone', outcome: 'talked' } as const
  triage.noteAttempt({ item: questionItem('q'), attempt, author: null, notice: '' })
  const [change] = readOwnChanges(client).changes
  expect(change?.fields.attempts?.last?.at).toBe('2026-11-20T07:50:00.000Z')
})
