import { Mail, Phone } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useReplyUnavailable, useWritingRequest } from '@/components/contact/reply-request'
import { lazyPart } from '@/components/app/lazy-part'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/loading'
import { plainEmail } from '@/lib/contacts/contact-key'
import { isLikePersonalNumber } from '@/lib/contacts/phone'
import { isAnswer, isClosed } from '@/lib/contract/lists'
import { contactOf, isQuestion } from '@/lib/inbox/lead-text'
import { type ReplyProps, useReplyDrafts } from './use-reply'

type Channel = 'mail' | 'call'

const room = <Skeleton className="mt-5 h-72 w-full" />
const CallPanel = lazyPart(async () => (await import('./call-panel')).CallPanel, room)
const MailComposer = lazyPart(async () => (await import('./mail-composer')).MailComposer, room)
export const loadChannels = () => Promise.all([CallPanel.load(), MailComposer.load()])

/** Under a question that waits it is open already, by the channel the person asked for; else it opens on request. */
export function ReplyDesk(props: ReplyProps) {
  const { lead, item } = props
  const t = useTranslations('reply')
  const drafts = useReplyDrafts()
  const contact = contactOf(item)
  const email = (contact.email && plainEmail(contact.email)) || null
  // What looks like a personal number is no phone.
  const phone = contact.phone !== null && isLikePersonalNumber(contact.phone) ? null : contact.phone
  /** As the person asked to be answered, as far as they left what that needs. */
  const wantsCall = isQuestion(item) && item.sender.mode === 'phone' && phone !== null
  const preferred: Channel = email === null || wantsCall ? 'call' : 'mail'
  const waits = isQuestion(item) && !isClosed(item.triage.status) && !isAnswer(item.attempts.last?.outcome)
  const [shown, setShown] = useState<Channel | null>(() => {
    if (drafts.read(lead) !== null && email !== null) return 'mail'
    return waits ? preferred : null
  })
  const [waited, setWaited] = useState(waits)
  if (waits !== waited) {
    setWaited(waits)
    // The answer was taken back: its keys are there again. A colleague's decision closes nothing.
    if (waits && shown === null) setShown(preferred)
  }
  const [focusRequests, setFocusRequests] = useState(0)
  const show = (channel: Channel) => {
    setShown(channel)
    setFocusRequests((before) => before + 1)
  }
  const sayWhy = useReplyUnavailable()
  useWritingRequest(lead, (writing) => {
    if (writing === 'note') return undefined
    if (email === null && phone === null) return sayWhy()
    show(email === null ? 'call' : writing === 'reply' ? (shown ?? preferred) : writing)
    return true
  })
  if (shown === null) {
    const again = item.attempts.last === null ? 'write' : 'again'
    const look = (channel: Channel) =>
      channel === preferred ? ({ variant: 'primary', shortcut: 'r' } as const) : { variant: 'secondary' as const }
    return (
      <div className="mt-4 flex flex-wrap gap-2 empty:hidden">
        {email !== null && <Button icon={Mail} text={t(again)} {...look('mail')} onClick={() => show('mail')} />}
        {phone !== null && <Button icon={Phone} text={t('call')} {...look('call')} onClick={() => setShown('call')} />}
      </div>
    )
  }
  const [other, icon, text] =
    shown === 'mail' ? ([phone, Phone, 'callInstead'] as const) : ([email, Mail, 'mailInstead'] as const)
  const otherChannel = other !== null && (
    <Button
      icon={icon}
      text={t(text)}
      size="sm"
      variant="ghost"
      onClick={() => setShown(shown === 'mail' ? 'call' : 'mail')}
    />
  )
  const shared = { ...props, focusRequests, otherChannel, onClose: () => setShown(null) }
  if (shown === 'call' && phone !== null) return <CallPanel {...shared} phone={phone} />
  return email !== null && <MailComposer {...shared} email={email} />
}
