import { AlarmClock, Check, ChevronDown, ChevronUp, type LucideIcon, Mail, Phone } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ComponentProps } from 'react'
import { requestWriting } from '@/components/contact/writing-request'
import { toE164 } from '@/lib/contacts/phone'
import { isQuestion } from '@/lib/inbox/lead-text'
import type { LeadProps } from './lead-props'
import { findReplyChannels } from './reply-channels'

/** In a very narrow window, or a low and narrow one, only screen readers get the words, because they would not fit. */
const thumbClass =
  'flex min-h-14 min-w-11 flex-1 flex-col items-center justify-center gap-1 px-0.5 py-1 text-center text-2xs font-medium disabled:opacity-45 low:min-h-11 low:flex-row low:gap-2 max-[19rem]:[&>span:last-child]:sr-only low:max-[40rem]:[&>span:last-child]:sr-only [&>svg]:size-5 [&>svg]:shrink-0'

type ThumbBarProps = Omit<LeadProps, 'isOpened'> & { hasPrevious: boolean; hasNext: boolean }

/** On a phone, the decisions and the buttons to the next lead are within the thumb's reach. */
export function ThumbBar({ lead, item, actions, hasPrevious, hasNext }: ThumbBarProps) {
  const t = useTranslations('lead')
  const { email, phone, preferred } = findReplyChannels(item)
  const e164Number = phone && toE164(phone)
  return (
    <div
      role="group"
      aria-label={t('actions')}
      className="flex shrink-0 border-t border-line bg-panel pb-[env(safe-area-inset-bottom)] desk:hidden low:sticky low:bottom-0 low:mt-auto"
    >
      {preferred === 'call' && e164Number !== null ? (
        <a href={`tel:${e164Number}`} className={`${thumbClass} text-accent`}>
          <Phone />
          <span>{t('call')}</span>
        </a>
      ) : (
        email !== null && (
          <ThumbButton
            icon={Mail}
            text={t(isQuestion(item) ? 'reply' : 'mail')}
            onClick={() => requestWriting(lead, 'mail')}
            className={`${thumbClass} text-accent`}
          />
        )
      )}
      {item.triage.status !== 'handled' && (
        <ThumbButton
          icon={Check}
          text={t('markHandled')}
          onClick={() => actions.decideLead(item, { status: 'handled' })}
        />
      )}
      <ThumbButton icon={AlarmClock} text={t('putAside')} onClick={() => actions.askSnooze(item)} />
      <ThumbButton icon={ChevronUp} text={t('previous')} disabled={!hasPrevious} onClick={() => actions.move(-1)} />
      <ThumbButton icon={ChevronDown} text={t('next')} disabled={!hasNext} onClick={() => actions.move(1)} />
    </div>
  )
}

type ThumbButtonProps = ComponentProps<'button'> & { icon: LucideIcon; text: string }

function ThumbButton({ icon: Icon, text, ...buttonProps }: ThumbButtonProps) {
  return (
    <button type="button" className={`${thumbClass} text-mute hover:text-ink`} {...buttonProps}>
      <Icon />
      <span>{text}</span>
    </button>
  )
}
