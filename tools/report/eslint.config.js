// What eslint holds the page's sources to:  npx eslint .
// Names that are not defined are tsc's to find, widths and comments those of tests/style.

import js from "@eslint/js";

export default [
  js.configs.recommended,
  {
    rules: {
      "no-undef": "off",
      "no-unused-vars": ["error", { args: "after-used", argsIgnorePattern: "^_" }],
      eqeqeq: "error",
      curly: ["error", "multi-line"],
      "no-var": "error",
      "prefer-const": "error",
      "no-shadow": "error",
      "no-param-reassign": "error",
      "no-implicit-coercion": "error",
      "no-lone-blocks": "error",
      "no-self-compare": "error",
      "no-throw-literal": "error",
      "no-useless-concat": "error",
      "no-useless-return": "error",
      "object-shorthand": "error",
      "prefer-arrow-callback": "error",
      "prefer-template": "off",
      "prefer-rest-params": "error",
      "max-lines-per-function": ["error", { max: 60 }],
      "max-params": ["error", 6],
      complexity: ["error", 20],
    },
  },
];
