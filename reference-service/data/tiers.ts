/** How many of each; S is one small school, XL the largest group of schools with three years of leads. */
export const tiers = {
  S: { schools: 1, declarations: 500, questions: 170 },
  M: { schools: 5, declarations: 14_400, questions: 4_800 },
  L: { schools: 30, declarations: 16_000, questions: 5_400 },
  XL: { schools: 147, declarations: 75_000, questions: 25_000 },
  Stress: { schools: 147, declarations: 190_000, questions: 62_000 },
} as const

export type Tier = keyof typeof tiers

export function isTier(text: string): text is Tier {
  return Object.hasOwn(tiers, text)
}
