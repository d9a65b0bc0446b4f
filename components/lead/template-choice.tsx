import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { lazyDialog } from '@/components/desk/lazy-part'
import { Button } from '@/components/ui/button'
import { Kbd } from '@/components/ui/kbd'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '@/components/ui/menu'
import type { AnswerDraft } from '@/lib/contacts/own-answers'
import type { ReplyTemplate } from '@/lib/contract/attempts'
import type { Reply } from './use-reply'

type TemplateChoiceProps = {
  reply: Pick<Reply, 'own' | 'shared' | 'others' | 'to' | 'hasNoTemplates' | 'takeOut' | 'asAnswer'>
  isFixed: boolean
  onChosen: (template: ReplyTemplate) => void
  onTemplateRemoved: (caret: number) => void
}

export function TemplateChoice({ reply, isFixed, onChosen, onTemplateRemoved }: TemplateChoiceProps) {
  const t = useTranslations('reply')
  const { hasNoTemplates, takeOut } = reply
  if (hasNoTemplates) return <p className="px-3.5 pt-2 text-xs text-mute">{t('templatesFailed')}</p>
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line-soft px-3.5 py-1 text-sm">
      <TemplateMenu reply={reply} isFixed={isFixed} onChosen={onChosen} />
      {takeOut !== null && (
        <Button
          text={t('takeOut')}
          size="sm"
          variant="ghost"
          disabled={isFixed}
          onClick={() => onTemplateRemoved(takeOut())}
        />
      )}
    </div>
  )
}

const SaveAnswerDialog = lazyDialog(async () => (await import('./answer-bank')).SaveAnswerDialog)
const OwnAnswersDialog = lazyDialog(async () => (await import('./answer-bank')).OwnAnswersDialog)

/** A menu, in which arrow keys only move: a select would put in each template on the way in some browsers. */
function TemplateMenu({ reply, isFixed, onChosen }: Omit<TemplateChoiceProps, 'onTemplateRemoved'>) {
  const t = useTranslations('reply')
  const [dialog, setDialog] = useState<AnswerDraft | 'own' | null>(null)
  const onClose = () => setDialog(null)
  return (
    <>
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
            <Kbd>/</Kbd>
          </button>
        )}
      >
        {(close) => (
          <Templates
            reply={reply}
            // Closed first, for that gives the focus back, which then goes to the text.
            onChosen={(template) => (close(), onChosen(template))}
            onSave={(draft) => (close(), setDialog(draft))}
            onTidy={() => (close(), setDialog('own'))}
          />
        )}
      </Menu>
      {dialog === 'own' && <OwnAnswersDialog onClose={onClose} />}
      {dialog !== null && dialog !== 'own' && <SaveAnswerDialog draft={dialog} onClose={onClose} />}
    </>
  )
}

type TemplatesProps = Pick<TemplateChoiceProps, 'reply' | 'onChosen'> & {
  onSave: (draft: AnswerDraft) => void
  onTidy: () => void
}

function Templates({ reply, onChosen, onSave, onTidy }: TemplatesProps) {
  const t = useTranslations('reply')
  const { own, shared, others, to } = reply
  const draft = reply.asAnswer()
  const all = (templates: readonly ReplyTemplate[]) =>
    templates.map((template) => (
      <MenuItem key={template.id} onSelect={() => onChosen(template)}>
        <span lang={template.language}>{template.name}</span>
      </MenuItem>
    ))
  return (
    <>
      {own.length > 0 && <MenuLabel>{t('answers.own')}</MenuLabel>}
      {all(own)}
      {own.length > 0 && shared.length > 0 && <MenuLabel>{t('answers.shared')}</MenuLabel>}
      {all(shared)}
      {others.length > 0 && <MenuLabel>{t(`otherLanguage.${to.language === 'sv' ? 'en' : 'sv'}`)}</MenuLabel>}
      {all(others)}
      <MenuSeparator />
      {draft.body !== '' && <MenuItem onSelect={() => onSave(draft)}>{t('answers.saveThis')}</MenuItem>}
      <MenuItem onSelect={onTidy}>{t('answers.tidy')}</MenuItem>
    </>
  )
}
