import { queryOptions } from '@tanstack/react-query'
import type { AttemptAnswer, NewAttempt, Reply, ReplyAnswer, ReplySettled, SettleReply } from '@/lib/contract/attempts'
import { ApiError, request } from './send'
import { shape } from './shape'

const readAnswer = shape<AttemptAnswer>({ attempt: { at: 'string', channel: 'string' }, undo: 'string' })

/** Notes that somebody was reached for, and what is decided with it. */
export function logAttempt(attempt: NewAttempt): Promise<AttemptAnswer> {
  return request('/api/attempts', { method: 'POST', body: attempt, read: readAnswer })
}

/** Has Intag send a mail. The same `key` twice is one mail. */
export function sendReply(reply: Reply): Promise<ReplyAnswer> {
  const read = shape<ReplyAnswer>({ undo: 'string' })
  return request('/api/replies', { method: 'POST', body: reply, read })
}

/** Says of a mail that may have been sent whether it was. */
export function settleReply(settled: SettleReply): Promise<ReplySettled> {
  const read = shape<ReplySettled>({ wasSent: 'boolean' })
  return request('/api/replies', { method: 'PATCH', body: settled, read })
}

type SendingAnswer = { canSend: boolean }
const CAN_SEND_STALE_MS = 300_000

/** Whether Intag itself can send mail here, for this person. */
export const canSendReplies = queryOptions({
  queryKey: ['replies'],
  queryFn: async ({ signal }) => {
    try {
      const read = shape<SendingAnswer>({ canSend: 'boolean' })
      return (await request('/api/replies', { read, signal })).canSend
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'unauthorized') return false
      throw error
    }
  },
  staleTime: CAN_SEND_STALE_MS,
})
