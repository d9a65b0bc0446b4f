'use client'

import { useFormatter, useTranslations } from 'next-intl'
import { useState } from 'react'
import type { InterestPage } from '@/lib/interest/interest-page'
import type { ChartFile } from './chart-actions'
import { ChartCard } from './chart-card'
import { ChartReader } from './chart-reader'
import { ModesPlot, ModeSwatch, type NamedMode } from './modes-plot'
import { useChartWidth } from './use-chart-width'
import { useCountWords } from './use-count-words'

type ModesChartProps = { page: InterestPage; file: Omit<ChartFile, 'name'> }

/** By which way the askers want their answer. */
export function ModesChart({ page, file }: ModesChartProps) {
  const t = useTranslations('interest.modes')
  const format = useFormatter()
  const words = useCountWords(page.isWithheld)
  const modes = useNamedModes(page)
  const percent = (share: number) => format.number(share, { style: 'percent' })
  const figures = {
    columns: [t('mode'), t('count'), t('share')],
    rows: modes.map(({ name, questions, share }) => [name, words.figure(questions), percent(share)]),
  }
  return (
    <ChartCard
      title={t('title')}
      note={t('note')}
      file={{ ...file, name: t('fileName') }}
      figures={modes.length === 0 ? null : figures}
    >
      {modes.length === 0 ? <p className="text-sm text-mute">{t('empty')}</p> : <Bar modes={modes} words={words} />}
      <table className="tabular mt-1 w-full text-sm">
        <caption className="sr-only">{t('title')}</caption>
        <tbody>
          {modes.map(({ mode, name, questions, share }, index) => (
            <tr key={mode}>
              <th scope="row" className="flex items-center gap-2 py-0.5 text-left font-normal">
                <ModeSwatch index={index} />
                {name}
              </th>
              <td className="text-right font-semibold">{percent(share)}</td>
              <td className="w-20 text-right text-mute">{words.cell(questions)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ChartCard>
  )
}

type BarProps = { modes: readonly NamedMode[]; words: ReturnType<typeof useCountWords> }

function Bar({ modes, words }: BarProps) {
  const t = useTranslations('interest.modes')
  const format = useFormatter()
  const [box, width] = useChartWidth()
  const [chosen, setChosen] = useState(0)
  const at = Math.min(chosen, modes.length - 1)
  const { name = '', questions = 0, share = 0 } = modes[at] ?? {}
  return (
    <ChartReader
      boxRef={box}
      title={t('title')}
      summary={t('summary')}
      count={modes.length}
      at={at}
      onMove={setChosen}
      valueText={t('valueText', {
        mode: name,
        count: words.cell(questions),
        share: format.number(share, { style: 'percent' }),
      })}
      pointUnder={(x) => modes.findLastIndex(({ from }) => x >= from)}
    >
      <ModesPlot modes={modes} width={width} at={at} />
    </ChartReader>
  )
}

/** The largest first. */
function useNamedModes({ questions: { modes } }: InterestPage): NamedMode[] {
  const t = useTranslations('interest.modes')
  const sorted = modes.toSorted((a, b) => b.questions - a.questions)
  const sumOf = (some: typeof sorted) => some.reduce((sum, { questions }) => sum + questions, 0)
  const total = sumOf(sorted)
  return sorted.map(({ mode, questions }, index) => ({
    mode,
    questions,
    name: mode === 'email' || mode === 'phone' ? t(mode) : t('other', { mode }),
    share: questions / total,
    from: sumOf(sorted.slice(0, index)) / total,
  }))
}
