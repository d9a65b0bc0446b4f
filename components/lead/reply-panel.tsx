import { Mail, Phone } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useWritingRequest } from '@/components/contact/writing-request'
import { Button } from '@/components/ui/button'
import { toast } from '@/components/ui/toast'
import { toPlainEmail } from '@/lib/contacts/contact-key'
import { isLikePersonalNumber } from '@/lib/contacts/phone'
import { isAnswer, isClosed } from '@/lib/contract/lists'
import { readEmailAndPhone, isQuestion } from '@/lib/inbox/lead-text'
import { CallPanel } from './call-panel'
import type { LeadProps } from './lead-props'
import { MailComposer } from './mail-composer'
import { useReplyDrafts } from './use-reply'

type Channel = 'mail' | 'call'
const CHANNEL_ICONS = { mail: Mail, call: Phone }

/** Under a question that waits for an answer, the panel is open with the channel that the person asked for. */
export function ReplyPanel(props: LeadProps) {
  const { lead, item } = props
  const t = useTranslations('reply')
  const drafts = useReplyDrafts()
  const contact = readEmailAndPhone(item)
  const email = (contact.email && toPlainEmail(contact.email)) || null
  // A number that looks like a personal identity number is not called, because it is no phone.
  const phone = contact.phone !== null && isLikePersonalNumber(contact.phone) ? null : contact.phone
  const isPossible = { mail: email !== null, call: phone !== null }
  const wantsCall = isQuestion(item) && item.sender.mode === 'phone' && isPossible.call
  const preferredChannel: Channel = isPossible.mail && !wantsCall ? 'mail' : 'call'
  const isWaiting = isQuestion(item) && !isClosed(item.triage.status) && !isAnswer(item.attempts.last?.outcome)
  const [openChannel, setOpenChannel] = useState<Channel | null>(() => {
    if (drafts.read(lead) !== null && email !== null) return 'mail'
    return isWaiting ? preferredChannel : null
  })
  const [wasWaiting, setWasWaiting] = useState(isWaiting)
  if (isWaiting !== wasWaiting) {
    setWasWaiting(isWaiting)
    // An answer that is undone opens the panel again. A colleague's decision closes nothing.
    if (isWaiting && openChannel === null) setOpenChannel(preferredChannel)
  }
  const [focusRequests, setFocusRequests] = useState(0)
  const openAndFocus = (channel: Channel) => {
    setOpenChannel(channel)
    setFocusRequests((before) => before + 1)
  }
  // A note is for another field (undefined); false ends a request that no channel can meet.
  useWritingRequest(lead, (writing) => {
    if (writing === 'note') return undefined
    if (!isPossible.mail && !isPossible.call) {
      toast(t('impossible'), { topic: 'reply' })
      return false
    }
    const requested = writing === 'reply' ? (openChannel ?? preferredChannel) : writing
    openAndFocus(isPossible[requested] ? requested : preferredChannel)
    return true
  })
  if (openChannel === null) {
    const texts = { mail: t(item.attempts.last === null ? 'write' : 'again'), call: t('call') }
    const channels = (['mail', 'call'] as const).filter((channel) => isPossible[channel])
    return (
      <div className="mt-4 flex flex-wrap gap-2 empty:hidden">
        {channels.map((channel) => (
          <Button
            key={channel}
            icon={CHANNEL_ICONS[channel]}
            text={texts[channel]}
            variant={channel === preferredChannel ? 'primary' : 'secondary'}
            shortcut={channel === preferredChannel ? 'r' : undefined}
            onClick={() => openAndFocus(channel)}
          />
        ))}
      </div>
    )
  }
  const otherChannel = openChannel === 'mail' ? 'call' : 'mail'
  const otherChannelButton = isPossible[otherChannel] && (
    <Button
      icon={CHANNEL_ICONS[otherChannel]}
      text={t(`${otherChannel}Instead`)}
      size="sm"
      variant="ghost"
      onClick={() => openAndFocus(otherChannel)}
    />
  )
  const channelProps = { ...props, focusRequests, otherChannelButton, onClose: () => setOpenChannel(null) }
  if (openChannel === 'call' && phone !== null) return <CallPanel {...channelProps} phone={phone} />
  return email !== null && <MailComposer {...channelProps} email={email} />
}
