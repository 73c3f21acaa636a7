// The search finds pages that have all words of a question, or words that begin so. Here a question
// is put in the words of the pages: what others call a thing, without endings and small words.
{
  const CALLED_HERE = [
    [/^(bootstrap\w*|mover|mid.?p|delta method)$/, "confidence intervals which method promises"],
    [/\bundefined metric warning\b|\bwhy (is it )?nan\b|\bdivision by zero\b|\bill.defined\b/, "undefined values"],
    [/\bp.?values?\b|\bhypothesis tests?\b|\bstatistical(ly)? significan(t|ce)\b/, "significance test"],
    [/\b(error bars?|margin of error|standard errors?|uncertainty|credible intervals?)\b/, "how certain"],
    [/^confidence (intervals?|limits?|bounds?)$/, "how certain"],
    [/^(is my|which) model (is )?better$|\bcompar\w+ (two |my )?(classifiers|algorithms)\b/, "compare two models"],
    [/\ba\/b tests?\b/, "compare two models"],
    [/\b(un|im)balanced?( data)?\b|\bclass imbalance\b|\brare class(es)?\b/, "imbalanced data"],
    [/\bcut.?offs?\b|\boperating points?\b|\bdecision boundary\b/, "threshold"],
    [/\bmulti.?class\b/, "many classes"],
    [/\bmulti.?label\b/, "several labels"],
    [/\b(monitor\w*|production|degradation|concept drift)\b/, "over time"],
    [/\b(annotators?|labelers?|coders)\b/, "raters"],
    [/\b(inter.?(rater|annotator|coder)( agreement| reliability)?)\b|\bagreement of raters\b/, "raters partly known"],
    [/\bbias (between|of|in) groups\b|\bdiscrimination\b|\bdisparity\b|\bequal opportunity\b/, "fairness"],
    [/\b(how many|number of) (samples|patients|cases|labels)( do i need)?\b|\bpower analysis\b/, "sample size"],
    [/\b(equivalence|non.?inferiority)\b/, "noninferiority"],
    [/\brepeated measures?\b|\bdependent samples\b|\bseveral samples of one patient\b/, "clustered data"],
    [/\bhit rate\b|\bdetection probability\b|\btpr\b/, "recall sensitivity tpr"],
    [/\bcost.?sensitive\b/, "cost matrix"],
    [/\bexport\b|\bspreadsheet\b/, "excel"],
    [/\blatex\b|\bpublication\b|\bmanuscript\b/, "models metrics confidence intervals table"],
    [/\bllm( as a)?( judge)?\b|\blanguage models?\b/, "llm judge"],
    [/\bbig data\b|\blarge (data|tables?)\b/, "big tables"],
    [/^(warnings?|errors?|valueerror|typeerror)$|\berror messages?\b/, "i got this message"],
    [/\bbenchmarks?\b|\bhow fast\b|\bperformance\b|\bslow\b/, "speed"],
    [/\brelease notes?\b|\bwhat.?s new\b/, "changelog"],
    [/\balternatives?\b|\bmigrat\w+\b|\bswitch from\b/, "instead of write"],
  ];
  const SMALL_WORDS = /\b(how|do|does|can|i|is|are|my|an?|the|to|for|in|with|of|and)\b/g;
  const ENDING = /(ing|ers?|ed|es|s)$/;

  // What is searched for where this was written.
  const inWordsOfThePages = (text) => {
    let words = text.toLowerCase();
    for (const [other, ours] of CALLED_HERE) words = words.replace(other, ours);
    const large = words.replace(SMALL_WORDS, " ").trim();
    return (large || words).replace(/[a-z]{6,}/g, (word) => {
      const stem = word.replace(ENDING, "");
      return stem.length < 4 ? word : stem.replace(/([bdgmnprt])\1$/, "$1");
    });
  };

  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message, ...others) {
    const asked = message?.type === 2 && message.data?.input;
    if (typeof asked === "string") {
      message = { ...message, data: { ...message.data, input: inWordsOfThePages(asked) } };
    }
    return postMessage.call(this, message, ...others);
  };
}
