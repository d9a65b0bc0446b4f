import { useQuery } from '@tanstack/react-query'
import { BookmarkPlus } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Fragment, type RefObject, useState } from 'react'
import { flushSync } from 'react-dom'
import { lazyDialog } from '@/components/app/lazy-part'
import { Button } from '@/components/ui/button'
import { Menu, MenuItem, MenuLabel } from '@/components/ui/menu'
import type { LeadItem } from '@/lib/api/leads'
import { templatesQuery } from '@/lib/api/queries'
import type { ReplyTemplate } from '@/lib/contract/templates'
import { groupBy } from '@/lib/group-by'
import type { Reply } from './use-reply'

const SaveTemplateDialog = lazyDialog(async () => (await import('./save-template-dialog')).SaveTemplateDialog)

type TemplateChoiceProps = {
  item: LeadItem
  reply: Reply
  bodyRef: RefObject<HTMLTextAreaElement | null>
  isReadOnly: boolean
}

/** A menu offers the templates, because in some browsers a select would insert each one that arrow keys pass. */
export function TemplateChoice({ item, reply, bodyRef, isReadOnly }: TemplateChoiceProps) {
  const t = useTranslations('reply')
  const { data, isError } = useQuery(templatesQuery)
  const [isSaveDialogOpen, setSaveDialogOpen] = useState(false)
  if (isError && data === undefined) return <p className="px-3.5 pt-2 text-xs text-mute">{t('templatesFailed')}</p>
  const { language } = reply.context
  const otherLanguage = `otherLanguage.${language === 'sv' ? 'en' : 'sv'}` as const
  const groups = groupBy(data?.templates ?? [], (template) => {
    if (template.language !== language) return otherLanguage
    return template.isOwn ? 'own' : 'shared'
  })
  const choose = (template: ReplyTemplate, close: () => void) => {
    // Closing returns the focus to the menu's button, so it comes before the text gets the focus.
    close()
    const position = bodyRef.current?.selectionStart ?? reply.draft.body.length
    // The template must be in the field before the caret can be set.
    const caret = flushSync(() => reply.insertTemplate(template, position))
    bodyRef.current?.focus()
    bodyRef.current?.setSelectionRange(caret, caret)
  }
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line-soft px-3.5 py-1 text-sm">
      <Menu
        label={t('template')}
        className="max-w-80"
        trigger={(props) => (
          <button
            {...props}
            type="button"
            disabled={isReadOnly || groups.size === 0}
            className="mr-auto flex h-8 items-center text-mute hover:text-ink touch:h-11"
          >
            {t('template')}
          </button>
        )}
      >
        {(close) =>
          (['own', 'shared', otherLanguage] as const).map((group) => (
            <Fragment key={group}>
              {groups.has(group) && groups.size > 1 && <MenuLabel>{t(group)}</MenuLabel>}
              {groups.get(group)?.map((template) => (
                <MenuItem key={template.id} onSelect={() => choose(template, close)}>
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
          disabled={isReadOnly}
          onClick={() => setSaveDialogOpen(true)}
        />
      )}
      {isSaveDialogOpen && <SaveTemplateDialog item={item} reply={reply} onClose={() => setSaveDialogOpen(false)} />}
    </div>
  )
}
