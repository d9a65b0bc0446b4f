import { ChevronDown, Sparkle } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import { Menu, MenuItem, MenuLabel } from '@/components/ui/menu'
import type { ReplyTemplate } from '@/lib/contract/attempts'
import type { Reply } from './use-reply'

type TemplateChoiceProps = {
  reply: Pick<Reply, 'own' | 'others' | 'suggested' | 'to' | 'hasNoTemplates' | 'takeOut'>
  isFixed: boolean
  onChosen: (template: ReplyTemplate) => void
  onTakenOut: (caret: number) => void
}

export function TemplateChoice({ reply, isFixed, onChosen, onTakenOut }: TemplateChoiceProps) {
  const t = useTranslations('reply')
  const { own, others, suggested, hasNoTemplates, takeOut } = reply
  if (own.length + others.length === 0) {
    return hasNoTemplates && <p className="px-3.5 pt-2 text-xs text-mute">{t('templatesFailed')}</p>
  }
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line-soft px-3.5 py-1 text-sm">
      <TemplateMenu reply={reply} isFixed={isFixed} onChosen={onChosen} />
      {takeOut !== null && (
        <Button size="sm" variant="ghost" disabled={isFixed} onClick={() => onTakenOut(takeOut())}>
          {t('takeOut')}
        </Button>
      )}
      {suggested !== null && (
        <button
          type="button"
          disabled={isFixed}
          title={t('useSuggested', { name: suggested.name })}
          onClick={() => onChosen(suggested)}
          className="inline-flex max-w-full min-w-0 items-center gap-1.5 rounded-full bg-accent-soft px-2.5 py-0.5 text-xs font-medium hover:bg-hover touch:min-h-10"
        >
          <Sparkle aria-hidden className="size-3 shrink-0 text-accent" />
          <span className="truncate">{t('suggested', { name: suggested.name })}</span>
        </button>
      )}
    </div>
  )
}

/** A menu, in which arrow keys only move: a select would put in each template on the way in some browsers. */
function TemplateMenu({ reply: { own, others, to }, isFixed, onChosen }: Omit<TemplateChoiceProps, 'onTakenOut'>) {
  const t = useTranslations('reply')
  const otherLanguage = to.language === 'sv' ? 'en' : 'sv'
  return (
    <Menu
      label={t('template')}
      className="max-w-80"
      trigger={(props) => (
        <button
          {...props}
          type="button"
          disabled={isFixed}
          className="mr-auto flex h-8 items-center gap-1.5 text-mute hover:text-ink touch:h-11"
        >
          {t('template')}
          <ChevronDown aria-hidden className="size-3.5 text-faint" />
        </button>
      )}
    >
      {(close) => {
        const item = (template: ReplyTemplate) => (
          // Closed first, for that gives the focus back, which then goes to the text.
          <MenuItem key={template.id} onSelect={() => (close(), onChosen(template))}>
            <span lang={template.language}>{template.name}</span>
          </MenuItem>
        )
        return (
          <>
            {own.map(item)}
            {others.length > 0 && <MenuLabel>{t(`otherLanguage.${otherLanguage}`)}</MenuLabel>}
            {others.map(item)}
          </>
        )
      }}
    </Menu>
  )
}
