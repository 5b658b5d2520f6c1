#pragma once

#include <string>

#include "merganser/base/result.h"
#include "merganser/connect/plan/translate.h"

/// What `DataFrame.stat` computes, as queries over its input.
namespace merganser::connect {

/// One row: `function` of two columns, under the name `name`.
Result<plan::RelationPtr> OfTwoColumns(plan::RelationPtr input, const std::string& first,
                                       const std::string& second, const char* function,
                                       const char* name);

/// One row with an array of the columns' arrays of quantiles.
Result<plan::RelationPtr> Quantiles(plan::RelationPtr input,
                                    const spark::connect::StatApproxQuantile& quantile);

/// How often each value of one column meets each of another.
Result<plan::RelationPtr> CrossTable(plan::RelationPtr input,
                                     const spark::connect::StatCrosstab& crosstab);

/// One row with, for each column, an array of its most frequent values: as many as can each be in
/// at least `support` of the rows, and so all values of a column that has few.
Result<plan::RelationPtr> FrequentItems(const plan::RelationPtr& input,
                                        const spark::connect::StatFreqItems& items);

/// Rows, by the fraction that is given for their value of a column.
Result<plan::RelationPtr> SampleByValue(plan::RelationPtr input,
                                        const spark::connect::StatSampleBy& sample,
                                        TranslationContext& context);

}  // namespace merganser::connect
