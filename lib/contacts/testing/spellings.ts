/** One Swedish mobile number in the ways people write it. */
export const SPELLINGS = [
  '070-174 06 05',
  '+46 70 174 06 05',
  '0046701740605',
  '+46 (0)70-174 06 05',
  '46701740605',
  '070.174.06.05',
]
