import { Mail, Phone } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useNoReply, useReplyWish } from '@/components/contact/reply-wish'
import { Button } from '@/components/ui/button'
import { Kbd } from '@/components/ui/kbd'
import type { LeadItem } from '@/lib/api/leads'
import type { LeadRef } from '@/lib/contract/lead'
import { isAnswer, isClosed } from '@/lib/contract/lists'
import { contactOf, isQuestion } from '@/lib/inbox/lead-text'
import { CallPanel } from './call-panel'
import type { LeadDecisions } from './lead-toolbar'
import { MailComposer } from './mail-composer'
import { UnsureMail } from './unsure-mail'
import { useReplyDrafts } from './use-reply'

export type ReplyDeskProps = { lead: LeadRef; item: LeadItem; decide: LeadDecisions }

type Shown = 'mail' | 'call' | null

/**
 * Where a person is answered. Under a question that waits it is open already, by the way that they asked for; on a declaration,
 * and once somebody has answered, it opens when it is wanted.
 */
export function ReplyDesk(props: ReplyDeskProps) {
  return (
    <>
      <UnsureMail lead={props.lead} item={props.item} />
      <Ways {...props} />
    </>
  )
}

function Ways({ lead, item, decide }: ReplyDeskProps) {
  const t = useTranslations('reply')
  const { email, phone } = contactOf(item)
  const drafts = useReplyDrafts()
  const waits = waitsForAnswer(item)
  const [shown, setShown] = useState<Shown>(() => {
    if (drafts.read(lead) !== null && email !== null) return 'mail'
    return waits ? wayOf(item) : null
  })
  const [waited, setWaited] = useState(waits)
  if (waits !== waited) {
    setWaited(waits)
    // The answer was taken back: its keys are there again. Somebody else's decision closes nothing.
    if (waits && shown === null) setShown(wayOf(item))
  }
  const [wishes, setWishes] = useWishes({ lead, item, shown, onShow: setShown })
  if (email === null && phone === null) return null
  const close = () => setShown(null)
  if (shown === null) {
    return <Closed item={item} onShow={(next) => (setShown(next), setWishes(next === 'mail' ? wishes + 1 : wishes))} />
  }
  const other = shown === 'mail' ? phone : email
  const instead = other !== null && (
    <Button size="sm" variant="ghost" onClick={() => setShown(shown === 'mail' ? 'call' : 'mail')}>
      {shown === 'mail' ? <Phone aria-hidden className="size-3.5" /> : <Mail aria-hidden className="size-3.5" />}
      {t(shown === 'mail' ? 'callInstead' : 'mailInstead')}
    </Button>
  )
  if (shown === 'call' && phone !== null) {
    return <CallPanel item={item} phone={phone} decide={decide} wishes={wishes} instead={instead} onDone={close} />
  }
  if (email === null) return null
  return (
    <MailComposer
      lead={lead}
      item={item}
      email={email}
      decide={decide}
      wishes={wishes}
      instead={instead}
      onClose={close}
    />
  )
}

type WishesOptions = Omit<ReplyDeskProps, 'decide'> & { shown: Shown; onShow: (way: 'mail' | 'call') => void }

/** Counts the wishes to answer, each of which takes the focus to the text or to what came of the call: by the way that is open, else as asked. */
function useWishes({ lead, item, shown, onShow }: WishesOptions) {
  const { email, phone } = contactOf(item)
  const wishes = useState(0)
  const sayWhy = useNoReply()
  useReplyWish(lead, ({ way }) => {
    if (email === null && phone === null) return sayWhy()
    const next = way ?? shown ?? wayOf(item)
    onShow(email === null ? 'call' : next)
    wishes[1]((before) => before + 1)
    return true
  })
  return wishes
}

/** The ways to answer, while none is open. */
function Closed({ item, onShow }: { item: LeadItem; onShow: (way: 'mail' | 'call') => void }) {
  const t = useTranslations('reply')
  const { email, phone } = contactOf(item)
  const prefers = wayOf(item)
  return (
    <div className="mt-4 flex flex-wrap gap-2">
      {email !== null && (
        <Button variant={prefers === 'mail' ? 'primary' : 'secondary'} onClick={() => onShow('mail')}>
          <Mail aria-hidden className="size-4" />
          {t(item.attempts.last === null ? 'write' : 'again')}
          {prefers === 'mail' && <Kbd inverted>r</Kbd>}
        </Button>
      )}
      {phone !== null && (
        <Button variant={prefers === 'call' ? 'primary' : 'secondary'} onClick={() => onShow('call')}>
          <Phone aria-hidden className="size-4" />
          {t('call')}
          {prefers === 'call' && <Kbd inverted>r</Kbd>}
        </Button>
      )}
    </div>
  )
}

/** A question that is open and that nobody has answered. */
function waitsForAnswer(item: LeadItem): boolean {
  return isQuestion(item) && !isClosed(item.triage.status) && !isAnswer(item.attempts.last?.outcome)
}

/** How the person is to be answered: as they asked, as far as they left what that needs. */
function wayOf(item: LeadItem): 'mail' | 'call' {
  const { email, phone } = contactOf(item)
  if (email === null) return 'call'
  return isQuestion(item) && item.sender.mode === 'phone' && phone !== null ? 'call' : 'mail'
}
