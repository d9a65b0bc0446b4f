import { useState } from 'react'
import { useCurrentUser } from '@/components/desk/current-user'
import type { LeadItem } from '@/lib/api/leads'
import { refusalOf } from '@/lib/contacts/reply-check'
import { bodyWithQuote } from '@/lib/contacts/reply-text'
import { isAnswer } from '@/lib/contract/lists'
import { type Meanwhile, meanwhileOf } from '@/lib/inbox/drafts'
import { isQuestion } from '@/lib/inbox/lead-text'
import type { ChannelProps } from './lead-toolbar'
import { useReply } from './use-reply'
import { useSend } from './use-send'

/** The mail being written, and what may become of it. A fixed one is on its way. */
export function useOutgoingMail({ lead, item, email, decide, onClose }: ChannelProps & { email: string }) {
  const reply = useReply(lead, item)
  const { text, to } = reply
  const question = isQuestion(item) ? item.question : null
  const mail = () => ({
    to: email,
    subject: text.subject.trim(),
    body: bodyWithQuote(text.body, text.isQuoted ? question : null, to.language),
  })
  const onLeft = () => {
    reply.done()
    onClose()
  }
  const sender = useSend({ lead, item, decide, mail, onLeft, onHandedOver: reply.handOver })
  const isLeaving = sender.sending !== undefined && sender.sending.kind !== 'failed'
  const ownId = useCurrentUser()?.id
  const meanwhile = reply.isTouched && !isLeaving ? meanwhileOf(item, text.seenAttempt, ownId) : null
  const { needsSecondSend, confirmThenSend } = useDuplicateAnswerGuard(item, meanwhile)
  const { subject, body } = mail()
  const written = reply.isTouched ? text.body : null
  const refusal = refusalOf({ to, email, subject, text: written, body, way: sender.way })
  const maySend = refusal === null && sender.isWayKnown
  const press = (isFinished: boolean): void => {
    if (maySend) confirmThenSend(() => sender.send(isFinished))
  }
  const outgoing = {
    ...sender,
    isTooLong: sender.isTooLong(mail()),
    refusal,
    maySend,
    needsSecondSend,
    send: press,
  }
  return { reply, outgoing, isFixed: isLeaving, question, meanwhile }
}

export type OutgoingMail = ReturnType<typeof useOutgoingMail>['outgoing']

/** If a colleague answered meanwhile, the mail goes outgoing only at the second press. */
function useDuplicateAnswerGuard({ attempts: { last } }: LeadItem, meanwhile: Meanwhile | null) {
  const [answeredAt, setAnsweredAt] = useState<string | null>(null)
  const isNoticeAboutAttempt = meanwhile === 'mailed' || meanwhile === 'talked' || meanwhile === 'mine'
  const isAnswered = last !== null && isAnswer(last.outcome) && isNoticeAboutAttempt
  const needsSecondSend = isAnswered && answeredAt === last.at
  return {
    needsSecondSend,
    confirmThenSend: (send: () => void) => (isAnswered && !needsSecondSend ? setAnsweredAt(last.at) : send()),
  }
}
