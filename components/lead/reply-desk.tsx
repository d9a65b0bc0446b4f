import { Mail, Phone } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useReplyUnavailable, useReplyRequest } from '@/components/contact/reply-request'
import { Button } from '@/components/ui/button'
import type { LeadItem } from '@/lib/api/leads'
import { plainEmail } from '@/lib/contacts/contact-key'
import { isLikePersonalNumber } from '@/lib/contacts/phone'
import type { LeadRef } from '@/lib/contract/lead'
import { isAnswer, isClosed } from '@/lib/contract/lists'
import { contactOf, isQuestion } from '@/lib/inbox/lead-text'
import { CallPanel } from './call-panel'
import type { LeadDecisions } from './lead-toolbar'
import { MailComposer } from './mail-composer'
import { useReplyDrafts } from './use-reply'

export type ReplyDeskProps = { lead: LeadRef; item: LeadItem; decide: LeadDecisions }

type Shown = 'mail' | 'call' | null

/** Under a question that waits it is open already, by the channel the person asked for; else it opens on request. */
export function ReplyDesk({ lead, item, decide }: ReplyDeskProps) {
  const t = useTranslations('reply')
  const { email, phone } = reachableBy(item)
  const drafts = useReplyDrafts()
  const waits = waitsForAnswer(item)
  const [shown, setShown] = useState<Shown>(() => {
    if (drafts.read(lead) !== null && email !== null) return 'mail'
    return waits ? channelOf(item) : null
  })
  const [waited, setWaited] = useState(waits)
  if (waits !== waited) {
    setWaited(waits)
    // The answer was taken back: its keys are there again. A colleague's decision closes nothing.
    if (waits && shown === null) setShown(channelOf(item))
  }
  const [focusRequests, setFocusRequests] = useFocusRequests({ lead, item, shown, onShow: setShown })
  if (email === null && phone === null) return null
  if (shown === null) {
    return (
      <Closed
        item={item}
        onShow={(next) => (setShown(next), setFocusRequests(next === 'mail' ? focusRequests + 1 : focusRequests))}
      />
    )
  }
  const other = shown === 'mail' ? phone : email
  const otherChannel = other !== null && (
    <Button
      icon={shown === 'mail' ? Phone : Mail}
      text={t(shown === 'mail' ? 'callInstead' : 'mailInstead')}
      size="sm"
      variant="ghost"
      onClick={() => setShown(shown === 'mail' ? 'call' : 'mail')}
    />
  )
  const shared = { lead, item, decide, focusRequests, otherChannel, onClose: () => setShown(null) }
  if (shown === 'call' && phone !== null) return <CallPanel {...shared} phone={phone} />
  return email !== null && <MailComposer {...shared} email={email} />
}

type FocusOptions = Omit<ReplyDeskProps, 'decide'> & { shown: Shown; onShow: (channel: 'mail' | 'call') => void }

/** Counts how often the user asked to answer. Each moves the focus to the text, or to the outcomes of a call. */
function useFocusRequests({ lead, item, shown, onShow }: FocusOptions) {
  const { email, phone } = reachableBy(item)
  const focusRequests = useState(0)
  const sayWhy = useReplyUnavailable()
  useReplyRequest(lead, ({ channel }) => {
    if (email === null && phone === null) return sayWhy()
    const next = channel ?? shown ?? channelOf(item)
    onShow(email === null ? 'call' : next)
    focusRequests[1]((before) => before + 1)
    return true
  })
  return focusRequests
}

function Closed({ item, onShow }: { item: LeadItem; onShow: (channel: 'mail' | 'call') => void }) {
  const t = useTranslations('reply')
  const { email, phone } = reachableBy(item)
  const prefers = channelOf(item)
  const channels = [
    { channel: 'mail', isThere: email !== null, icon: Mail, text: t(item.attempts.last === null ? 'write' : 'again') },
    { channel: 'call', isThere: phone !== null, icon: Phone, text: t('call') },
  ] as const
  return (
    <div className="mt-4 flex flex-wrap gap-2">
      {channels.map(
        ({ channel, isThere, ...look }) =>
          isThere && (
            <Button
              key={channel}
              variant={prefers === channel ? 'primary' : 'secondary'}
              onClick={() => onShow(channel)}
              {...look}
              shortcut={prefers === channel ? 'r' : undefined}
            />
          ),
      )}
    </div>
  )
}

function waitsForAnswer(item: LeadItem): boolean {
  return isQuestion(item) && !isClosed(item.triage.status) && !isAnswer(item.attempts.last?.outcome)
}

/** How the person is to be answered: as they asked, as far as they left what that needs. */
function channelOf(item: LeadItem): 'mail' | 'call' {
  const { email, phone } = reachableBy(item)
  if (email === null) return 'call'
  return isQuestion(item) && item.sender.mode === 'phone' && phone !== null ? 'call' : 'mail'
}

/** By what the person can be reached: what looks like a personal number is no phone. */
function reachableBy(item: LeadItem) {
  const { email, phone } = contactOf(item)
  return {
    email: (email && plainEmail(email)) || null,
    phone: phone !== null && isLikePersonalNumber(phone) ? null : phone,
  }
}
