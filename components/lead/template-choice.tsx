import { useQuery } from '@tanstack/react-query'
import { BookmarkPlus } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Fragment, useState } from 'react'
import { lazyDialog } from '@/components/app/lazy-part'
import { Button } from '@/components/ui/button'
import { Menu, MenuItem, MenuLabel } from '@/components/ui/menu'
import type { LeadItem } from '@/lib/api/leads'
import { templatesQuery } from '@/lib/api/queries'
import type { ReplyTemplate } from '@/lib/contract/attempts'
import type { Reply } from './use-reply'

const SaveTemplateDialog = lazyDialog(async () => (await import('./save-template')).SaveTemplateDialog)

type TemplateChoiceProps = {
  item: LeadItem
  reply: Reply
  isFixed: boolean
  onChosen: (template: ReplyTemplate) => void
}

/** A menu, in which arrow keys only move: a select would put in each template on the way in some browsers. */
export function TemplateChoice({ item, reply, isFixed, onChosen }: TemplateChoiceProps) {
  const t = useTranslations('reply')
  const [isSaving, setSaving] = useState(false)
  const { data, isError } = useQuery(templatesQuery)
  if (isError) return <p className="px-3.5 pt-2 text-xs text-mute">{t('templatesFailed')}</p>
  const { language } = reply.to
  const templates = data?.templates ?? []
  const own = templates.filter((template) => template.language === language && template.isOwn)
  const groups = [
    { label: t('own'), templates: own },
    {
      label: own.length > 0 ? t('shared') : null,
      templates: templates.filter((template) => template.language === language && !template.isOwn),
    },
    {
      label: t(`otherLanguage.${language === 'sv' ? 'en' : 'sv'}`),
      templates: templates.filter((template) => template.language !== language),
    },
  ].filter((group) => group.templates.length > 0)
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line-soft px-3.5 py-1 text-sm">
      <Menu
        label={t('template')}
        className="max-w-80"
        trigger={(props) => (
          <button
            {...props}
            type="button"
            disabled={isFixed || groups.length === 0}
            className="mr-auto flex h-8 items-center text-mute hover:text-ink touch:h-11"
          >
            {t('template')}
          </button>
        )}
      >
        {(close) =>
          groups.map((group) => (
            <Fragment key={group.label}>
              {group.label !== null && <MenuLabel>{group.label}</MenuLabel>}
              {group.templates.map((template) => (
                // Closed first, for that gives the focus back, which then goes to the text.
                <MenuItem key={template.id} onSelect={() => (close(), onChosen(template))}>
                  <span lang={template.language}>{template.name}</span>
                </MenuItem>
              ))}
            </Fragment>
          ))
        }
      </Menu>
      {reply.isTouched && (
        <Button
          icon={BookmarkPlus}
          text={t('saveTemplate.title')}
          size="sm"
          variant="ghost"
          disabled={isFixed}
          onClick={() => setSaving(true)}
        />
      )}
      {isSaving && <SaveTemplateDialog item={item} reply={reply} onClose={() => setSaving(false)} />}
    </div>
  )
}
