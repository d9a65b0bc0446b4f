import { Mail, Phone } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useWritingRequest } from '@/components/contact/writing-request'
import { Button } from '@/components/ui/button'
import { toast } from '@/components/ui/toast'
import { isAnswer, isClosed } from '@/lib/contract/lists'
import { isQuestion } from '@/lib/inbox/lead-text'
import { CallPanel } from './call-panel'
import type { LeadProps } from './lead-props'
import { MailComposer } from './mail-composer'
import { findReplyChannels, type ReplyChannel } from './reply-channels'
import { useReplyDrafts } from './use-reply'

const CHANNEL_ICONS = { mail: Mail, call: Phone }

/** Answers by mail or by phone. Under a question that waits for an answer the panel is open from the beginning. */
export function ReplyPanel(props: LeadProps) {
  const { lead, item } = props
  const t = useTranslations('reply')
  const drafts = useReplyDrafts()
  const { email, phone, preferred } = findReplyChannels(item)
  const isPossible = { mail: email !== null, call: phone !== null }
  const isWaitingForAnswer = isQuestion(item) && !isClosed(item.triage.status) && !isAnswer(item.attempts.last?.outcome)
  const [openChannel, setOpenChannel] = useState<ReplyChannel | null>(() => {
    if (drafts.read(lead) !== null && email !== null) return 'mail'
    return isWaitingForAnswer ? preferred : null
  })
  const [focusRequestCount, setFocusRequestCount] = useState(0)
  const openAndFocus = (channel: ReplyChannel) => {
    setOpenChannel(channel)
    setFocusRequestCount((count) => count + 1)
  }
  useWritingRequest(lead, (writing) => {
    // Notes are written in the lead's history.
    if (writing === 'note') return undefined
    if (!isPossible.mail && !isPossible.call) {
      toast(t('impossible'), { topic: 'reply' })
      return false
    }
    const requestedChannel = writing === 'reply' ? (openChannel ?? preferred) : writing
    openAndFocus(isPossible[requestedChannel] ? requestedChannel : preferred)
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
            variant={channel === preferred ? 'primary' : 'secondary'}
            shortcut={channel === preferred ? 'r' : undefined}
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
  const channelProps = { ...props, focusRequestCount, otherChannelButton, onClose: () => setOpenChannel(null) }
  if (openChannel === 'call' && phone !== null) return <CallPanel {...channelProps} phone={phone} />
  return email !== null && <MailComposer {...channelProps} email={email} />
}
