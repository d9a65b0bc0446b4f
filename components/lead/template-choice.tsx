import { BookmarkPlus } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Fragment, useState } from 'react'
import { lazyDialog } from '@/components/desk/lazy-part'
import { Button } from '@/components/ui/button'
import { Menu, MenuItem, MenuLabel } from '@/components/ui/menu'
import type { TemplateDraft } from '@/lib/contacts/own-template'
import type { ReplyTemplate } from '@/lib/contract/attempts'
import type { Reply } from './use-reply'

type TemplateChoiceProps = {
  reply: Pick<Reply, 'own' | 'shared' | 'others' | 'to' | 'isTouched' | 'hasNoTemplates' | 'asTemplate'>
  isFixed: boolean
  onChosen: (template: ReplyTemplate) => void
}

const SaveTemplateDialog = lazyDialog(async () => (await import('./save-template')).SaveTemplateDialog)

export function TemplateChoice({ reply, isFixed, onChosen }: TemplateChoiceProps) {
  const t = useTranslations('reply')
  const [draft, setDraft] = useState<TemplateDraft | null>(null)
  if (reply.hasNoTemplates) return <p className="px-3.5 pt-2 text-xs text-mute">{t('templatesFailed')}</p>
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line-soft px-3.5 py-1 text-sm">
      <TemplateMenu reply={reply} isFixed={isFixed} onChosen={onChosen} />
      {reply.isTouched && (
        <Button
          icon={BookmarkPlus}
          text={t('saveTemplate.title')}
          size="sm"
          variant="ghost"
          disabled={isFixed}
          onClick={() => setDraft(reply.asTemplate())}
        />
      )}
      {draft !== null && <SaveTemplateDialog draft={draft} onClose={() => setDraft(null)} />}
    </div>
  )
}

/** A menu, in which arrow keys only move: a select would put in each template on the way in some browsers. */
function TemplateMenu({ reply, isFixed, onChosen }: TemplateChoiceProps) {
  const t = useTranslations('reply')
  const { own, shared, others, to } = reply
  const groups = [
    { label: t('own'), templates: own },
    { label: own.length > 0 ? t('shared') : null, templates: shared },
    { label: t(`otherLanguage.${to.language === 'sv' ? 'en' : 'sv'}`), templates: others },
  ]
  return (
    <Menu
      label={t('template')}
      className="max-w-80"
      trigger={(props) => (
        <button
          {...props}
          type="button"
          disabled={isFixed || groups.every(({ templates }) => templates.length === 0)}
          className="mr-auto flex h-8 items-center text-mute hover:text-ink touch:h-11"
        >
          {t('template')}
        </button>
      )}
    >
      {(close) =>
        groups.map(
          ({ label, templates }) =>
            templates.length > 0 && (
              <Fragment key={label}>
                {label !== null && <MenuLabel>{label}</MenuLabel>}
                {templates.map((template) => (
                  // Closed first, for that gives the focus back, which then goes to the text.
                  <MenuItem key={template.id} onSelect={() => (close(), onChosen(template))}>
                    <span lang={template.language}>{template.name}</span>
                  </MenuItem>
                ))}
              </Fragment>
            ),
        )
      }
    </Menu>
  )
}
